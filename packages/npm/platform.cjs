'use strict';
// Which package holds the program for this machine.
const SUPPORTED = ['linux-x64-gnu'];

// { program } or { problem }: a sentence for the person.
module.exports = function programOf(process, resolve) {
  const platform = nameOf(process);
  if (!SUPPORTED.includes(platform)) return { problem: `there is no Wherefore for ${platform} yet; it runs on ${SUPPORTED.join(', ')}` };
  try {
    return { program: resolve(`@wherefore/${platform}/wherefore`) };
  } catch {
    return { problem: `the package @wherefore/${platform} is not installed: npm was told to leave optional packages out; install it without --omit=optional, or by its name` };
  }
};

function nameOf(process) {
  const { platform, arch } = process;
  return platform === 'linux' ? `${platform}-${arch}-${isGnu(process) ? 'gnu' : 'musl'}` : `${platform}-${arch}`;
}

function isGnu(process) {
  // The report would look up the names of all hosts that the process talks to.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}
