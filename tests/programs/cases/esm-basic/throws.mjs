const early = () => { throw new RangeError('while evaluating'); };
export default early();
