/** A small description of an API, with a schema that contains itself, deprecated members and a method. */
export const small = {
  kind: "discovery#restDescription",
  id: "shelf:v1",
  name: "shelf",
  version: "v1",
  title: "Shelf API",
  description: "Keeps books; and more.",
  revision: "20261121",
  rootUrl: "https://shelf.example.com/",
  servicePath: "shelf/v1/",
  batchPath: "batch",
  schemas: {
    Book: {
      id: "Book",
      type: "object",
      properties: {
        title: { type: "string", description: "What it is called." },
        pages: { type: "integer", format: "int32", description: "How many; cover not counted." },
        sequel: { $ref: "Book" },
        tags: { type: "array", items: { type: "string" }, deprecated: true },
        id: { type: "string", readOnly: true },
      },
    },
  },
  resources: {
    books: {
      methods: {
        insert: {
          id: "shelf.books.insert",
          path: "rooms/{room}/books",
          httpMethod: "POST",
          description: "Puts a book on the shelf. It stays there.",
          parameters: {
            room: { type: "string", location: "path", required: true, description: "Where." },
            copies: { type: "integer", location: "query", minimum: "1", maximum: "9", default: "1" },
          },
          parameterOrder: ["room"],
          request: { $ref: "Book" },
          response: { $ref: "Book" },
          scopes: ["https://shelf.example.com/auth/write"],
        },
      },
    },
  },
};
