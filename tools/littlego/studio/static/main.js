// The page's entry point.
import { takeToken } from "./api.js";
import { begin } from "./app.js";

takeToken();
begin(document.getElementById("studio"));
