export function createLog() {
  const log = [];
  const sleep = async (ms) => {
    log.push(ms);
  };
  return { log, sleep };
}
