class F { constructor() { Object.freeze(this) } }
const t = (f) => { try { f() } catch (e) { console.log(e.message, e.stack.split('\n')[1].replace(/.*\//, '')) } };
class G1 extends F { xyz }
class G2 extends F {   ["xyz"]  ; }
class G3 extends F { xyz = 1 }
class G4 extends F { "xyz"; }
class G5 extends F { ["xyz"] = 1 }
class R { constructor(o) { return o } }
class G6 extends R { #p; }
class G7 extends R { #p = 3; }
const o = {};
for (const G of [G1, G2, G3, G4, G5]) t(() => new G());
for (const G of [G6, G7]) { new G(o); t(() => new G(o)); }
