function ok() { return 1; }
  const broken = { a: 1,, };
ok();
