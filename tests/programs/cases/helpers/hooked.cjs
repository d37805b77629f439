console.log('REPLACED', __filename.replace(/.*[\\/]/, ''), arguments.length);
