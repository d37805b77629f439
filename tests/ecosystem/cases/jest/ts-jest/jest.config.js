module.exports = { preset: 'ts-jest', testEnvironment: 'node', testTimeout: 600_000 };
