(() => { throw undefined; })();
