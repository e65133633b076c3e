export const EVENTS_KEPT_DAYS = 365;
