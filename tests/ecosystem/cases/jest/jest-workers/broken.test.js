import { nothing } from './missing';
test('is never run', () => nothing());
