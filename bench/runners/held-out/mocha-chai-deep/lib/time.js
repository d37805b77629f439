'use strict';

function minutes(text) {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes) % 30;
}

function text(minutes) {
  const two = (n) => String(n).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

module.exports = { minutes, text };
