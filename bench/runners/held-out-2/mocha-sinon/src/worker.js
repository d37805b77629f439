'use strict';
const { Queue } = require('./queue');

module.exports.work = (jobs, log) => {
  const queue = new Queue();
  for (const job of jobs) queue.add(job);
  for (let job = queue.take(); job; job = queue.take()) log(job.name);
};
