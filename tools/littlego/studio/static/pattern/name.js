// The id of a pattern: its form, and the message for an invalid id.

export const NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*";
const WRONG =
  "This is not an id. Begin with a letter, use only lower-case letters and digits, and join words with hyphens, as in cut-the-corner-2.";

/** Return why the value of a field is invalid, "" if it is valid. */
export const whyInvalid = (field) => (field.validity.patternMismatch ? WRONG : field.validationMessage);

/** Set the message that the browser shows for the value of an id's field. */
export const explainName = (field) => field.setCustomValidity(field.validity.patternMismatch ? WRONG : "");
