module.exports = { retries: 1, workers: 1 };
