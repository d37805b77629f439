// flags: --unhandled-rejections=warn
Promise.reject(new Error('only a warning')).finally(() => console.log('finally'));
setTimeout(() => console.log('later'), 2);
