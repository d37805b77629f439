//! Which objects are meant where.

use expect_test::expect;

use crate::program::operations;

#[test]
fn writes_and_changes() {
    operations(
        "const a = { n: 1 }, b = [], c = new Map();
         function add(list, x) { list.push(x); }
         add(b, a); a.n = 2; delete a.n; c.set('k', a); Object.assign(a, { z: 1 }); b[0].n = 3;
         class P { constructor() { this.list = []; } }
         new P().list.push(1);
         require('fs').writeFile('x', a);",
        expect![[r#"
            list.push(x): Change("push") of []
            a.n = 2: Write(Some("n")) of { n: 1 }
            delete a.n: Remove(Some("n")) of { n: 1 }
            c.set('k', a): Change("set") of new Map()
            Object.assign(a, { z: 1 }): Change("assign") of { n: 1 }
            b[0].n = 3: Write(Some("n")) of { n: 1 }
            this.list = []: Write(Some("list")) of new P()
            new P().list.push(1): Change("push") of []
            require('fs').writeFile('x', a): HandedOut of { n: 1 }
        "#]],
    );
}
