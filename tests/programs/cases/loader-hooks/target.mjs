export default 'target';
