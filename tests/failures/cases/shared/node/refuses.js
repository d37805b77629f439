throw new Error('no such option');
