// A date with an offset in minutes, as small date libraries have it.
class ZonedDate {
  constructor(ms, offset) {
    this.ms = ms;
    this.offset = offset;
  }

  /** Minutes east of Greenwich. */
  utcOffset() {
    return this.offset ?? 0;
  }

  format() {
    const minutes = Math.abs(this.utcOffset());
    const sign = this.utcOffset() < 0 ? '-' : '+';
    const local = new Date(this.ms + this.utcOffset() * 60_000).toISOString().slice(0, 16);
    return `${local}${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  }
}

const twoDigits = (n) => String(n).padStart(2, '0');

function parse(text) {
  const [, local, , hours, minutes] = /^(.{16})([+-])(\d\d):(\d\d)$/.exec(text);
  let offset;
  offset = -(Number(hours) * 60 + Number(minutes));
  const zoned = new ZonedDate(Date.parse(`${local}Z`) - offset * 60_000);
  zoned.offset = offset;
  return zoned;
}

module.exports = { ZonedDate, parse };
