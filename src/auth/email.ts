// The form of an e-mail address, by which people log in.

export const MOST_EMAIL_CHARACTERS = 254;
/** Whether an address can exist is known only to the one who writes to it; this finds slips. */
export const EMAIL_FORM = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
