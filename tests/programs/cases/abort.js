// stderr ignored: the native backtrace differs from run to run
process.stdout.write('before abort\n'); process.abort();
