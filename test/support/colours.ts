// A resource that exists for tests of the foundation alone: it uses what a route can use, and keeps its rows in memory.
import { type Static, Type } from "@sinclair/typebox";
import { PageOf, pageAnswer, pageQuery } from "../../src/http/paging.ts";
import { ApiError } from "../../src/http/problem.ts";
import { Instant, Key, oneOf, orNull, textLike } from "../../src/http/schemas.ts";
import { type Route, route } from "../../src/routing/route.ts";

const NewColour = Type.Object({
  name: textLike(/^[A-Za-z0-9 _-]{1,100}$/, "1 to 100 letters, digits, spaces, hyphens or underscores"),
  note: Type.Optional(Type.String({ minLength: 3, maxLength: 150 })),
  numberOfBuckets: oneOf([4, 10, 20], { default: 20 }),
  share: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  layers: Type.Optional(Type.Array(Type.Object({ depth: Type.Integer({ minimum: 0 }) }), { maxItems: 3 })),
});

const Colour = Type.Object({
  colourKey: Key,
  name: Type.String(),
  note: orNull(Type.String()),
  numberOfBuckets: Type.Integer(),
  createdOn: Instant,
  colourUrl: Type.String({ "x-decision": "D99" }),
});

export interface ColourServices {
  now(): Date;
}

interface Row {
  key: string;
  userKey: string;
  createdOn: string;
  fields: Static<typeof NewColour>;
}

export function colourRoutes({ now }: ColourServices): Route[] {
  const rows: Row[] = [];
  const ownOf = (userKey: string) => rows.filter((row) => row.userKey === userKey);
  const show = ({ key, createdOn, fields: { name, note, numberOfBuckets } }: Row, colourUrl: string) => {
    return { colourKey: key, name, note: note ?? null, numberOfBuckets, createdOn, colourUrl };
  };
  return [
    route({
      method: "POST",
      path: "/api/v1/colours",
      operationId: "createColour",
      tag: "Colours",
      summary: "Create a colour",
      description: "Its name is the caller's own.",
      decisions: ["D28", "D48"],
      body: NewColour,
      bodyExample: { name: "vermilion", numberOfBuckets: 10 },
      answer: { status: 201, description: "The colour.", schema: Colour, headers: { Location: "Where it is." } },
      problems: ["NAME_TAKEN"],
      handle: ({ body, caller: { userKey }, headers, url }) => {
        const name = body.name.trim();
        if (ownOf(userKey).some((row) => row.fields.name === name)) {
          throw new ApiError("NAME_TAKEN", `There is a colour named "${name}" already.`);
        }
        const row = { key: crypto.randomUUID(), userKey, createdOn: now().toISOString(), fields: { ...body, name } };
        rows.push(row);
        const colourUrl = url(`/api/v1/colours/${row.key}`);
        headers.set("location", colourUrl);
        return show(row, colourUrl);
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/colours",
      operationId: "listColours",
      tag: "Colours",
      summary: "List colours",
      decisions: ["D24"],
      query: { ...pageQuery(1_000_000), withNote: Type.Optional(Type.Boolean()) },
      answer: { status: 200, description: "A page.", schema: PageOf("colours", Colour) },
      handle: ({ query: { withNote, ...page }, caller: { userKey }, url }) => {
        const all = ownOf(userKey).filter(
          ({ fields }) => withNote === undefined || withNote === (fields.note !== undefined),
        );
        const items = all.slice(page.offset, page.offset + page.limit);
        return pageAnswer("colours", { items, total: all.length }, page, (row) =>
          show(row, url(`/api/v1/colours/${row.key}`)),
        );
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/colours/{colourKey}",
      operationId: "getColour",
      tag: "Colours",
      summary: "Read a colour, or its sheet",
      scopes: ["read", "predict"],
      answer: {
        status: 200,
        description: "The colour.",
        schema: Colour,
        forms: ["application/json", "text/csv"],
      },
      problems: ["NOT_FOUND"],
      handle: ({ params: { colourKey }, caller: { userKey }, form, url }) => {
        const row = ownOf(userKey).find(({ key }) => key === colourKey);
        if (row === undefined) throw new ApiError("NOT_FOUND", "There is no colour with this key.");
        if (form === "text/csv")
          return new Response(`name\n${row.fields.name}\n`, { headers: { "content-type": form } });
        return show(row, url(`/api/v1/colours/${colourKey}`));
      },
    }),
    route({
      method: "DELETE",
      path: "/api/v1/colours/{colourKey}/{tone}",
      operationId: "deleteTone",
      tag: "Colours",
      summary: "Delete a tone",
      params: { tone: oneOf(["DARK", "LIGHT"]) },
      scopes: [],
      answer: { status: 204, description: "Done." },
      handle: ({ params: { tone } }) => {
        if (tone === "DARK") throw new Error("the dark tone is /etc/secret");
        return undefined;
      },
    }),
  ];
}
