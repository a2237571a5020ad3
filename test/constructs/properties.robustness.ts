// The properties of the fast tests, over two thousand random specs each.
process.env.PROPERTY_FACTOR = "34";
require("./properties.test");
