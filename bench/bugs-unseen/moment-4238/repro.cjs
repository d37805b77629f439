'use strict';
var moment = require('moment');

var due = moment.utc('2016-05-10');
var next = due.clone().add(1, 'day').year(2017);
var days = next.diff(due, 'days');
if (days !== 366) throw new Error('next one is due in ' + days + ' days, on ' + next.format('YYYY-MM-DD'));
console.log('ok');
