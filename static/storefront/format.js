const euros = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });
const days = new Intl.DateTimeFormat("en-IE", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

const moments = new Intl.DateTimeFormat("en-IE", { dateStyle: "long", timeStyle: "short" });

/** @param {number} cents */
export const formatPrice = (cents) => euros.format(cents / 100);

/** @param {string} date ISO, a day */
export const formatDate = (date) => days.format(new Date(date));

/** @param {string} date ISO, a moment; shown by the clock of whoever looks */
export const formatMoment = (date) => moments.format(new Date(date));

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** @param {number} ms */
export const formatDuration = (ms) =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
