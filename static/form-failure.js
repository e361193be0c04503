/** A form cannot be used in this way; the text is for the agent. */
export class FormFailure extends Error {}
