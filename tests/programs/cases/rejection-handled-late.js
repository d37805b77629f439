process.on('unhandledRejection', (reason, promise) => { console.log('unhandled', reason.message); setTimeout(() => promise.catch(() => console.log('caught')), 1); });
process.on('rejectionHandled', () => console.log('handled late'));
Promise.reject(new Error('x'));
