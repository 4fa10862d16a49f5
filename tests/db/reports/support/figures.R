# The numbers of three figures from an export of Visits, one line each: figure, series, x, value, low, high.
visits <- read.csv(commandArgs(trailingOnly = TRUE)[1])
counted <- subset(
  visits,
  warm_up == "false" & round_state == "completed" & excluded == "false" & status == "ok" & !is.na(total_ms)
)
counted$images <- as.numeric(sub(".*/", "", counted$url))
say <- function(...) cat(paste(..., sep = "\t"), "\n", sep = "")
digits <- function(number) format(number, digits = 15)

cells <- aggregate(total_ms ~ block + scenario + user_agent + images, counted, mean)

byBlock <- aggregate(total_ms ~ block + scenario + images, cells, mean)
for (part in split(byBlock, list(byBlock$scenario, byBlock$images))) {
  test <- t.test(part$total_ms)
  say("mean", part$scenario[1], part$images[1], digits(test$estimate), digits(test$conf.int[1]), digits(test$conf.int[2]))
}

pairs <- merge(
  subset(cells, scenario == "proxy"), subset(cells, scenario == "direct"),
  by = c("block", "user_agent", "images")
)
pairs$log_ratio <- log(pairs$total_ms.x / pairs$total_ms.y)
for (part in split(pairs, pairs$images)) {
  test <- t.test(aggregate(log_ratio ~ block, part, mean)$log_ratio)
  say(
    "reduction", "proxy", part$images[1],
    digits(1 - exp(test$estimate)), digits(1 - exp(test$conf.int[2])), digits(1 - exp(test$conf.int[1]))
  )
}

for (part in split(byBlock, byBlock$scenario)) {
  pages <- aggregate(total_ms ~ images, part, mean)
  line <- lm(total_ms ~ images, pages)
  slope <- confint(line)["images", ]
  say("slope", part$scenario[1], 0, digits(coef(line)["images"]), digits(slope[1]), digits(slope[2]))
}
