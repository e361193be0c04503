/** What each control of a form adds to the schema: its HTML, the property `a`, whether that is required. */

/** @param {[string, string?][]} options @returns {object} */
const oneOf = (...options) => ({
  type: "string",
  anyOf: options.map(([value, title]) => ({
    type: "string",
    const: value,
    ...(title !== undefined && { title }),
  })),
  enum: options.map(([value]) => value),
});
/** @param {[string, string?][]} options @returns {object} */
const someOf = (...options) => ({ type: "array", items: oneOf(...options), uniqueItems: true });
const text = { type: "string" };
const number = { type: "number", multipleOf: 1 };

/** Equal in Chromium 156. @type {[html: string, property?: object, required?: boolean][]} */
export const COMMON = [
  ["<input name=a>", text],
  ["<input name=a type=text value=x placeholder=p title=t>", text],
  ["<input name=a required pattern='[a-z]+'>", { ...text, pattern: "[a-z]+" }, true],
  ["<input name=a pattern='['>", text],
  ["<input name=a type=search>", text],
  ["<input name=a type=tel>", text],
  ["<input name=a type=url>", text],
  ["<input name=a type=email pattern=x>", { ...text, pattern: "x" }],
  ["<input name=a type=unheard-of>", text],
  ["<input name=a type=number>", number],
  ["<input name=a type=number min=0 max=9 required>", { ...number, minimum: 0, maximum: 9 }, true],
  ["<input name=a type=number min=10 step=5>", { type: "number", minimum: 10, multipleOf: 5 }],
  ["<input name=a type=number min=1 step=2>", { type: "number", minimum: 1 }],
  ["<input name=a type=number value=3 step=2>", { type: "number" }],
  ["<input name=a type=number step=any>", { type: "number" }],
  ["<input name=a type=number min=x max=y step=0>", number],
  ["<input name=a type=range>", { ...number, minimum: 0, maximum: 100 }],
  [
    "<input name=a type=range min=-5 max=5 step=0.1>",
    { type: "number", minimum: -5, maximum: 5, multipleOf: 0.1 },
  ],
  ["<input name=a type=range min=3 max=1>", { ...number, minimum: 3, maximum: 3 }],
  ["<input name=a type=color>", { ...text, format: "^#[0-9a-zA-Z]{6}$" }],
  ["<input name=a type=time>", { ...text, format: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }],
  ["<input name=a type=month>", { ...text, format: "^[0-9]{4}-(0[1-9]|1[0-2])$" }],
  ["<input name=a type=week>", { ...text, format: "^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$" }],
  [
    "<input name=a type=datetime-local>",
    { ...text, format: "^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]$" },
  ],
  ["<input name=a type=time step=60>", { ...text, format: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }],
  [
    "<input name=a type=time step=30>",
    { ...text, format: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" },
  ],
  [
    "<input name=a type=time step=.5>",
    { ...text, format: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?$" },
  ],
  [
    "<input name=a type=datetime-local step=1>",
    {
      ...text,
      format: "^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
    },
  ],
  ["<textarea name=a required></textarea>", text, true],

  ["<input name=a type=checkbox value=v>", { type: "boolean" }],
  ["<input name=a type=checkbox required>", { type: "boolean" }, true],
  [
    "<label><input name=a type=checkbox value=x>X</label><input name=a type=checkbox value=y required>",
    someOf(["x", "X"], ["y"]),
    true,
  ],
  [
    "<fieldset toolparamdescription=D><input name=a type=checkbox value=x>" +
      "<input name=a type=checkbox value=y></fieldset>",
    { ...someOf(["x"], ["y"]), description: "D" },
  ],
  [
    "<fieldset toolparamdescription=D><legend>L</legend><label><input name=a type=radio value=x>X</label>" +
      "<label><input name=a type=radio value=y checked>Y</label></fieldset>",
    { ...oneOf(["x", "X"], ["y", "Y"]), description: "D" },
  ],
  [
    "<input name=a type=radio value=x><input name=a type=radio value=y required>",
    oneOf(["x"], ["y"]),
    true,
  ],
  ["<input name=a type=radio value=x disabled><input name=a type=radio value=y>", oneOf(["y"])],
  [
    "<input name=a type=radio value=x toolparamdescription=D>",
    { ...oneOf(["x"]), description: "D" },
  ],
  [
    "<select name=a required><option value=''>pick</option><optgroup label=G><option value=x label=no>X</option>" +
      "<option disabled>z</option></optgroup></select>",
    oneOf(["", "pick"], ["x", "X"], ["z", "z"]),
    true,
  ],
  ["<select name=a></select>", oneOf()],
  ["<select name=a multiple><option value=x>X<option>y</select>", someOf(["x", "X"], ["y", "y"])],

  ["<label> The <b>name</b> <input name=a></label>", { ...text, description: "The name" }],
  [
    "<label for=i>One</label><label for=i>Two</label><input id=i name=a>",
    { ...text, description: "One; Two" },
  ],
  ["<label>L<input name=a toolparamdescription=D></label>", { ...text, description: "D" }],
  ["<label>L<input name=a toolparamdescription=''></label>", { ...text, description: "L" }],
  ["<input name=a aria-description=D>", { ...text, description: "D" }],
  [
    "<label>L <select name=a><option>x</select> m</label>",
    { ...oneOf(["x", "x"]), description: "L  m" },
  ],

  ["<input name=a disabled>"],
  ["<fieldset disabled><input name=a></fieldset>"],
  ["<fieldset disabled><legend><input name=a></legend></fieldset>", text],
  ["<input name=a readonly>"],
  ["<input name=a type=checkbox readonly>", { type: "boolean" }],
  ["<input name=a type=range readonly>", { ...number, minimum: 0, maximum: 100 }],
  ["<input name=a type=color readonly>", { ...text, format: "^#[0-9a-zA-Z]{6}$" }],
  ["<textarea name=a readonly></textarea>"],
  ["<select name=a disabled></select>"],
  ["<input name=a type=hidden>"],
  ["<input name=a type=hidden toolparamdescription=''>"],
  ["<input name=a type=hidden readonly toolparamdescription=D>", { ...text, description: "D" }],
  ["<input name=a type=file>"],
  ["<input name=a type=submit><input name=b type=reset><button name=c></button>"],
  ["<output name=a></output><fieldset name=b></fieldset>"],
  ["<input name=a><input name=a>"],
  ["<input name=a><input name=a disabled>", text],
  ["<input name=a><input name=a type=checkbox>"],
  ["<input name=a type=checkbox><input name=a type=hidden>"],
  ["<input name=a><button name=a></button>"],
  ["</form><input name=a form=f>", text],
  ["<input name=a style='display:none'>", text],
  ["<input name=a><input name=elements hidden disabled>", text],
];

/** Where Chromium 156 says something else. @type {typeof COMMON} */
export const OWN = [
  ["<input name=a type=password>"],
  ["<input>"],
  ["<input name=a minlength=2 maxlength=5>", { ...text, minLength: 2, maxLength: 5 }],
  ["<textarea name=a maxlength=5></textarea>", { ...text, maxLength: 5 }],
  ["<input name=a type=number pattern=x>", number],
  ["<input name=a type=range step=any>", { type: "number", minimum: 0, maximum: 100 }],
  ["<input name=a type=date>", { ...text, format: "date" }],
  [
    "<x-field name=a toolparamdescription=D required></x-field>",
    { ...text, description: "D" },
    true,
  ],
];
