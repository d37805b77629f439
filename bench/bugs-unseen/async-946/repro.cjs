'use strict';
var async = require('async');

var sent = [];
var outbox = async.queue(function (mail, done) {
  sent.push(mail);
  outbox.pause();                       // one at a time, until the receipt is there
  setTimeout(function () {
    var late = sent.slice(sent.indexOf(mail) + 1);
    if (late.length) throw new Error('sent ' + late.join() + ' before the receipt of ' + mail);
    outbox.resume();
    done();
  }, 5);
}, 3);
outbox.drain = function () { console.log('ok', sent.join()); };
outbox.push(['m1', 'm2', 'm3']);
