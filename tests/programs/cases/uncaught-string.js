function fail() { throw 'a string, no error'; }
fail();
