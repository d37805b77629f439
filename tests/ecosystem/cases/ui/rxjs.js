const { BehaviorSubject, EMPTY, Subject, combineLatest, defer, forkJoin, from, interval, merge, of, throwError, timer, firstValueFrom } = require('rxjs');
const { bufferCount, catchError, concatMap, debounceTime, filter, map, mergeMap, retry, scan, share, switchMap, take, takeUntil, tap, withLatestFrom } = require('rxjs/operators');
const { TestScheduler } = require('rxjs/testing');

const log = (name) => ({ next: (x) => console.log(name, x), error: (error) => console.log(name, 'failed', error.message), complete: () => console.log(name, 'done') });
from([1, 2, 3, 4]).pipe(filter((n) => n % 2 === 0), map((n) => n * 10), scan((a, b) => a + b, 0)).subscribe(log('sync'));
interval(1).pipe(take(3), concatMap((n) => of(n, n + 10)), bufferCount(2)).subscribe(log('interval'));
const subject = new BehaviorSubject(0);
combineLatest([subject, of('a')]).subscribe(log('latest'));
subject.next(1);
let tries = 0;
defer(() => (++tries < 3 ? throwError(() => new Error('again')) : of(tries))).pipe(retry(5)).subscribe(log('retry'));
throwError(() => new Error('bad')).pipe(catchError((error) => of(error.message))).subscribe(log('caught'));
forkJoin({ a: of(1, 2), b: timer(2) }).subscribe(log('join'));
new TestScheduler((actual, expected) => console.log('marbles', JSON.stringify(actual) === JSON.stringify(expected))).run(({ cold, expectObservable }) => expectObservable(cold('-a-b|').pipe(map((x) => x + x))).toBe('-x-y|', { x: 'aa', y: 'bb' }));
firstValueFrom(EMPTY).catch((error) => console.log(error.name));
// Later than all the others: it ends the process.
timer(50).subscribe(() => { throw new Error('nobody catches this'); });
