'use strict';
const { parse } = require('./parse');
const { validate } = require('./validate');

exports.load = function load(read, callback) {
  read((error, source) => {
    if (error) return callback(error);
    let settings;
    try {
      settings = parse(source);
    } catch (cause) {
      return callback(cause);
    }
    validate(settings, callback);
  });
};
