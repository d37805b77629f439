console.log('with a byte order mark', new Error().stack.split('\n')[1].replace(/.*[\\/]/, '')); null.x;
