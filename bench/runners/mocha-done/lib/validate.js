'use strict';

exports.validate = function validate(settings, done) {
  setImmediate(() => {
    const { host, port } = settings;
    if (typeof host !== 'string') return done(new Error('host is missing'));
    if (port < 1024) return done(new Error('port ' + port + ' is reserved'));
    done(null, { host, port, secure: settings.secure === true });
  });
};
