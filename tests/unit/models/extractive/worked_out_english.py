"""Figures and days that `builtin/extractive` works out over English documents of many trades, kind by kind."""

DOCUMENTS = {
    "pottery-studio.md": (
        "# Kiln House pottery studio\n"
        "\n"
        "A place at the wheel costs £18 an hour. Clay is sold at £1.40 per kilogram, glaze at £6.50 a jar. For each reserved wheel a deposit of £25 is taken and paid back at the end of the day.\n"
        "Firing costs £3 for each of the first ten pieces and £2 for every further piece. Groups of eight or more receive a discount of 15 per cent on the wheel price.\n"
        "The studio was founded on 14 May 2009. The kiln is serviced every 18 months; the last service was on 10 February 2025.\n"
        "Members pay £48 a month; the first two months of a membership are free.\n"
    ),
    "marquee-hire.txt": (
        "Hire of marquees, Dunmore Events\n"
        "\n"
        "The large marquee costs £640 per weekend and the small one £380 per weekend. Chairs are £1.20 each; from 200 chairs the price falls to £0.95 each. Delivery is charged at £2.10 per mile.\n"
        "All prices are without VAT of 20 per cent.\n"
        "A deposit of 30 per cent of the hire price is due on booking. The balance must be paid 21 days before the event.\n"
        "If you cancel within 14 days of the booking, nothing is charged. Damage must be reported within three working days of the return.\n"
        "The team needs six hours to build the large marquee and two hours to take it down.\n"
    ),
    "lease-mill.md": (
        "# Lease of the Old Mill workshop\n"
        "\n"
        "The lease begins on 1 October 2024 and runs for five years. It is extended by three years if neither side gives notice. The rent is £1,150 a month and the service charge £140 a month.\n"
        "Notice must be given in writing nine months before the end of the term. The rent rises by 4 per cent on 1 October 2026.\n"
        "No rent is due for the first three months. The deposit amounts to two months' rent.\n"
        "The boiler was installed on 6 November 2018. The chimney is swept twice a year at £95 a visit.\n"
    ),
    "orders-2026.csv": (
        "order: O-11; customer: Brannigan Foods; ordered: 2026-01-08; delivered: 2026-01-19; pallets: 4; amount_gbp: 1840\n"
        "order: O-12; customer: Tolland Farm; ordered: 2026-01-15; delivered: 2026-01-20; pallets: 2; amount_gbp: 960\n"
        "order: O-13; customer: Brannigan Foods; ordered: 2026-02-03; delivered: 2026-02-12; pallets: 5; amount_gbp: 2275\n"
        "order: O-14; customer: Hedley Stores; ordered: 2026-02-17; delivered: 2026-03-03; pallets: 1; amount_gbp: 515\n"
        "order: O-15; customer: Tolland Farm; ordered: 2026-03-02; delivered: 2026-03-09; pallets: 3; amount_gbp: 1410\n"
    ),
    "ferry-report.txt": (
        "Annual report of the Sound Ferry\n"
        "\n"
        "In 2025 the ferry carried 48,600 passengers, of whom 17,010 were schoolchildren. In 2024 it carried 44,200. Each crossing takes 25 minutes and burns 32 litres of diesel.\n"
        "The new ramp cost £86,400, of which the council paid £30,000. The Maribel was launched on 21 April 1987.\n"
        "The dry dock lasts from 4 January 2027 to 15 February 2027. Tickets bought online stay valid for six weeks from the day of purchase.\n"
        "The committee meets on the second Wednesday of each month.\n"
    ),
    "staff-guide.md": (
        "# Staff guide, Lark Bakery\n"
        "\n"
        "The probation period is three months. During probation the notice period is one week, afterwards six weeks to the end of a quarter.\n"
        "Overtime is paid with a supplement of 25 per cent on the hourly wage of £14. On public holidays the supplement is 60 per cent.\n"
        "Full-time staff get 28 days of leave a year, part-time staff a share of it. Business trips by car are paid at 45 pence per mile.\n"
        "Sick notes are handed in within five working days. A leave request is made four weeks before the first day of leave.\n"
        "The Christmas bonus is 40 per cent of a month's wages.\n"
    ),
    "printing-prices.md": (
        "| Product | Up to 99 pieces | From 100 pieces | From 500 pieces |\n"
        "|---|---|---|---|\n"
        "| Poster A2 | £4.20 | £3.10 | £2.40 |\n"
        "| Flyer A5 | £0.60 | £0.35 | £0.18 |\n"
        "| Banner, 3 metres | £58 | £52 | £49 |\n"
        "\n"
        "Express printing costs an extra 25 per cent. Files are kept for 90 days after delivery. Setting up a new file costs £15 once.\n"
    ),
    "gas-supply.txt": (
        "Supply contract, Northfold Gas\n"
        "\n"
        "The basic charge is £9.50 a month. Each kilowatt hour costs 7 pence. For use above 20,000 kilowatt hours a year the price is 6 pence per kilowatt hour.\n"
        "New customers get a welcome credit of £60. Whoever pays by direct debit saves 3 per cent of the yearly bill.\n"
        "The contract was signed on 30 January 2025 and runs for 24 months from 1 March 2025. It may be cancelled with a notice of six weeks to the end of the term.\n"
    ),
    "ferry-yard.md": (
        "# Saltmarsh ferry yard\n"
        "\n"
        "A lift out of the water costs £140. Mooring is £18 a night. The Saturday supplement is £35 per lift. Electricity is charged at £4 a night.\n"
        "The mechanic charges £62 an hour on weekdays and £93 an hour on Saturdays. The call-out fee is £40 per visit.\n"
        "\n"
        "## Minutes, 4 May 2026\n"
        "\n"
        "Decision: order 48 fenders at £17 apiece from Brightwater. Owner: Nell Ashdown.\n"
        "Decision: the pontoon is repainted by Okehampton, price £2,900. Owner: Piers Lundy. The offer from Stourbridge was £3,350 but included the sanding.\n"
        "The jubilee has a budget of £1,800.\n"
        "The insurance inspection on 9 May 2026 found one fault. It must be put right within 30 days.\n"
        "Four rescue boats are leased at £210 a month each.\n"
        "The annual fees are £5,400 for the slipway, £1,250 for the crane and £380 for the store.\n"
        "\n"
        "## Minutes, 2 July 2026\n"
        "\n"
        "The jubilee cost £2,075.\n"
    ),
    "music-school.md": (
        "# Staff rules of the music school\n"
        "\n"
        "Whoever drives with their own car is paid 32 pence per mile, with a bicycle 12 pence.\n"
        "The trial period lasts five months; during that time the notice is two weeks. After that a notice of three months applies.\n"
        "Tickets may be exchanged for another evening, for a fee of £4 each.\n"
        "A lesson must be called off by 9 a.m. on the same day.\n"
        "The organ will be ready on 24 April 2026.\n"
        "\n"
        "## Income\n"
        "\n"
        "| Source | 2023/24 in GBP | 2024/25 in GBP |\n"
        "|---|---|---|\n"
        "| Letting of rooms | 41,000 | 52,500 |\n"
        "| Tickets | 80,300 | 78,100 |\n"
    ),
}
CASES = {
    "pottery-studio.md": [
        ("How much do five hours at the wheel cost?", "90"),
        ("What do I pay for 12 kilograms of clay?", "16.80"),
        ("We reserve three wheels. What deposit do we leave?", "75"),
        ("What does it cost to fire 25 pieces?", "60"),
        ("What does a member pay in the first year of membership?", "480"),
        ("When is the kiln due for its next service?", "10 August 2026"),
        ("How old was the studio on 14 May 2026?", "17"),
    ],
    "marquee-hire.txt": [
        ("What do 250 chairs cost without VAT?", "237.50"),
        ("How much are 80 chairs before VAT?", "96"),
        ("What does the small marquee cost for a weekend including VAT?", "456"),
        ("How much deposit do we pay for the large marquee?", "192"),
        ("Our event is on 20 June 2026. By when must the balance be paid?", "30 May 2026"),
        ("We booked on 3 March 2026. Until when can we cancel without charge?", "17 March 2026"),
        ("How many hours does the team need altogether to build the large marquee and take it down?", "8"),
        ("How much more does the large marquee cost than the small one?", "260"),
    ],
    "lease-mill.md": [
        ("What do rent and service charge come to per month together?", "1,290"),
        ("When does the lease of the Old Mill end?", "30 September 2029"),
        ("Until when does the Old Mill lease run if it is extended once?", "30 September 2032"),
        (
            "What is the last day to give notice for the end of the first term of the Old Mill lease?",
            "31 December 2028",
        ),
        ("What is the new monthly rent of the Old Mill from October 2026?", "1,196"),
        ("How much rent is paid for the first year of the lease, given the rent-free months?", "10,350"),
        ("How high is the deposit for the Old Mill?", "2,300"),
        ("On which weekday was the boiler of the mill installed?", "Tuesday"),
    ],
    "orders-2026.csv": [
        ("What is the total amount of the orders of Brannigan Foods?", "4,115"),
        ("How many pallets did Tolland Farm order in total?", "5"),
        ("How many orders were delivered in January 2026?", "2"),
        ("What did all the orders of 2026 come to?", "7,000"),
        ("How many days passed between the order and the delivery of O-14?", "14"),
    ],
    "ferry-report.txt": [
        ("By how many passengers did 2025 exceed 2024?", "4,400"),
        ("What percentage of the passengers of 2025 were schoolchildren?", "35"),
        ("How many litres of diesel do 40 crossings burn?", "1,280"),
        ("How much of the cost of the ramp was left to the ferry after the council's payment?", "56,400"),
        ("How many days does the dry dock last?", "42"),
        ("How old will the Maribel be on 21 April 2027?", "40"),
        ("I bought a ticket online on 10 July 2026. Until when is it valid?", "21 August 2026"),
        ("When does the committee meet in May 2026?", "13 May 2026"),
        ("What day of the week was the launch of the Maribel?", "Tuesday"),
    ],
    "staff-guide.md": [
        ("I give notice on 10 February 2026, after probation. When does my job at the bakery end?", "31 March 2026"),
        ("What is paid per hour for overtime?", "17.50"),
        ("What does an hour on a public holiday bring me?", "22.40"),
        ("How much do I get back for a business trip of 120 miles by car?", "54"),
        ("My leave starts on 3 August 2026. When must the request be in at the latest?", "6 July 2026"),
        ("I start at the bakery on 16 March 2026. When is my probation over?", "15 June 2026"),
        ("I fall ill on Monday 11 May 2026. By which day must the sick note be in?", "18 May 2026"),
        ("My monthly wages are £2,450. How high is the Christmas bonus?", "980"),
    ],
    "printing-prices.md": [
        ("What do 150 A2 posters cost?", "465"),
        ("How much are 600 A5 flyers?", "108"),
        ("Our posters came on 2 March 2026. Until what day are the files kept?", "31 May 2026"),
    ],
    "gas-supply.txt": [
        ("What do 9,000 kilowatt hours cost without the basic charge?", "630"),
        ("How much do 26,000 kilowatt hours cost in a year, without the basic charge?", "1,760"),
        ("When does the contract with Northfold Gas end?", "28 February 2027"),
        ("By when must the Northfold contract be cancelled at the end of the term?", "17 January 2027"),
        ("How much is the basic charge per year?", "114"),
        ("How many days lie between the signing of the gas contract and its start?", "30"),
        ("My yearly bill is £1,400. How much do I save with direct debit?", "42"),
    ],
    "ferry-yard.md": [
        ("What does a lift out of the water cost with the Saturday supplement?", "175"),
        ("Three hours of the mechanic on a Tuesday, call-out fee included, what is that?", "226"),
        ("What do two hours of the mechanic on a Saturday cost, including the call-out?", "226"),
        ("What does mooring for five nights cost with electricity?", "110"),
        ("What do all the fenders cost in total?", "816"),
        ("Whose offer for the pontoon was cheaper, Okehampton's or Stourbridge's?", "£3,350 is more than £2,900"),
        ("By how much did the jubilee exceed its budget?", "275"),
        ("By what date must the fault that the inspection found be fixed?", "8 June 2026"),
        ("What do we pay a month for all four rescue boats together?", "840"),
        ("What is the total of the annual fees for all facilities?", "7,030"),
    ],
    "music-school.md": [
        ("What do I get for 150 miles with my own car?", "48"),
        (
            "How long is the trial period, and what is the notice afterwards?",
            "After that a notice of three months applies.",
        ),
        ("I want to exchange six tickets for another evening. What do I pay for that?", "24"),
        ("By how much did the income from the letting of rooms grow in 2024/25 against the year before?", "11,500"),
        ("How many days after 27 March will the organ be ready?", "28"),
        ("By what time must I call off a lesson of my son?", "9 a.m."),
    ],
}
