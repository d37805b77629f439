module.exports = typeof given === 'undefined' ? 'nothing' : given;
