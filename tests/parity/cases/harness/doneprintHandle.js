// How an asynchronous case says that it has ended.
function $DONE(error) { print(error ? 'Test262:AsyncTestFailure:' + String(error) : 'Test262:AsyncTestComplete'); }
