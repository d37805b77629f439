module.exports = { generateBuildId: () => 'build', outputFileTracingRoot: __dirname, eslint: undefined };
