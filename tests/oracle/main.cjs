// Runs the programs of a batch, one after the other. With ORACLE_DUMP the probes write down what they are given.
const programs = require('./programs.cjs');
const probe = process.env.ORACLE_DUMP ? require('./dump.cjs') : function probe(number) {};
(async () => {
  for (const program of programs) {
    try { await program(probe); } catch { /* programs may fail */ }
  }
})();
