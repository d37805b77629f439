import { tick } from '../clock';
import { Sessions } from '../sessions';

describe('sessions', () => {
  test('know who is there', () => {
    const sessions = new Sessions();
    sessions.open('bob', 'Bob');
    expect(sessions.user('bob')).toBe('Bob');
  });

  test('know nobody else', () => {
    expect(new Sessions().user('bob')).toBeUndefined();
  });

  test('are two at most', () => {
    const sessions = new Sessions();
    for (const id of ['a', 'b', 'c']) sessions.open(id, id.toUpperCase());
    expect(sessions.size).toBe(2);
  });

  test('stay if they are renewed', () => {
    const sessions = new Sessions();
    sessions.open('ann', 'Ann');
    tick();
    sessions.open('bob', 'Bob');
    tick();
    sessions.renew('ann');
    sessions.open('eve', 'Eve');
    expect(sessions.user('ann')).toBe('Ann');
  });
});
