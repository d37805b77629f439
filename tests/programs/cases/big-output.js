for (let i = 0; i < 3000; i++) console.log(i, 'x'.repeat(i % 100)); process.stdout.write('end without newline');
