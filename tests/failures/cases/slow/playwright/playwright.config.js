module.exports = { workers: 1, timeout: 200 };
