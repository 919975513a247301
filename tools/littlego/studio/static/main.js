// The page's entry point.
import { takeToken } from "./link.js";
import { begin } from "./app.js";

takeToken();
begin(document.getElementById("studio"));
