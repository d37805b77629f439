let text = ''; process.stdin.on('data', (d) => { text += d; }).on('end', () => console.log(text.toUpperCase()));
