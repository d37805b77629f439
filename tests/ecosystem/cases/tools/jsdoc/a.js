/** Adds. @param {number} a one @returns {number} */
function add(a, b) { return a + b; }
