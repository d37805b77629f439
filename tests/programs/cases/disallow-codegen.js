// flags: --disallow-code-generation-from-strings
try { eval('1'); } catch (e) { console.log(e.name, e.message); } try { new Function('return 1'); } catch (e) { console.log(e.name, e.message); } let a = [1, 2].map((x) => x * 2); console.log(a);
