const moment = require('moment');
const dayjs = require('dayjs');
const { DateTime, Duration, Interval } = require('luxon');
const { addMonths, differenceInDays, eachDayOfInterval, format, formatDistance, parse } = require('date-fns');

const at = '2024-02-29T12:34:56.789Z';
console.log(moment.utc(at).add(1, 'year').format('dddd, MMMM Do YYYY, h:mm:ss a'), moment.duration(90, 'minutes').humanize(), moment.utc(at).isLeapYear());
console.log(moment.utc('31/12/1999', 'DD/MM/YYYY').toISOString(), moment.utc(at).locale('en').calendar(moment.utc('2024-03-01')), moment.invalid().format());
for (const name of ['utc', 'relativeTime', 'duration', 'customParseFormat']) dayjs.extend(require(`dayjs/plugin/${name}`));
console.log(dayjs.utc(at).add(1, 'month').format(), dayjs.utc(at).from(dayjs.utc('2025-01-01')), dayjs.duration({ hours: 30 }).toISOString(), dayjs('1-2', 'D-M').isValid());
console.log(DateTime.fromISO(at, { zone: 'Asia/Tokyo' }).plus({ weeks: 1 }).toString(), Duration.fromObject({ hours: 2, minutes: 61 }).normalize().toHuman());
console.log(Interval.fromISO('2024-01-01/P3D').splitBy({ days: 1 }).map(String), DateTime.fromISO('nonsense').invalidExplanation);
const date = new Date(at);
console.log(format(addMonths(date, 12), 'yyyy-MM-dd'), differenceInDays(date, new Date(0)), formatDistance(date, new Date(0)), eachDayOfInterval({ start: date, end: new Date('2024-03-02') }).length);
console.log(parse('29.02.2023', 'dd.MM.yyyy', date));
try { format(new Date(NaN), 'yyyy'); } catch (error) { console.log(error.stack); }
