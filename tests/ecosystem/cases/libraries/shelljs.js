const shell = require('shelljs');

shell.mkdir('-p', 'a/b/c');
shell.ShellString('one\ntwo\nthree\n').to('a/text.txt');
shell.cp('a/text.txt', 'a/b/');
console.log(shell.ls('-R', 'a').join(' '), shell.grep('t', 'a/text.txt').sed(/t/g, 'T').stdout, shell.cat('a/*.txt').stdout);
console.log(shell.exec('node -p "6*7"').stdout, shell.exec('node -e "process.exit(4)"').code, shell.which('node') !== null, shell.test('-d', 'a'));
shell.rm('-rf', 'a/b');
console.log(shell.find('.').join(' '), shell.rm('nothing').code, shell.error());
shell.exec('echo "asynchronous"', { async: true }, (code, out) => console.log(code, out));
