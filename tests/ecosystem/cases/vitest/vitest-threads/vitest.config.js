export default { test: { testTimeout: 600_000, hookTimeout: 600_000, teardownTimeout: 600_000, slowTestThreshold: 1e9 } };
