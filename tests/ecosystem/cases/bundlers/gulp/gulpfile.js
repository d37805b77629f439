const { dest, parallel, series, src } = require('gulp');
const { Transform } = require('node:stream');
const loud = () => new Transform({ objectMode: true, transform(file, _, done) { file.contents = Buffer.from(String(file.contents).toUpperCase()); done(null, file); } });
const copy = () => src('in/*.txt').pipe(loud()).pipe(dest('out'));
const say = async () => console.log('said');
exports.build = series(say, parallel(copy, (done) => setTimeout(done, 1)));
