"""A conversation of two singers, invented for the tests of answering, with questions on it."""

from __future__ import annotations

import json

SESSIONS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "k1",
        "2022-02-05T18:00:00+01:00",
        (
            ("Noor", "Hi Elias! I live in Utrecht now, above a bakery. It smells of bread all day."),
            ("Elias", "Lucky you. And what do you do there?"),
            ("Noor", "I work as a baker at Molenkamp Bread. I start at four in the morning, so I go to bed with the hens."),
            ("Elias", "Speaking of hens, I have five hens now. My daughter Viola named them all."),
            ("Noor", "Five! I'd love to have a dog, but the flat is too small."),
            ("Elias", "I joined the Lindum Choir last month. You should come, you used to sing."),
            ("Noor", "I can't stand choirs. I really hate choir singing, all that standing."),
        ),
    ),
    (
        "k2",
        "2022-09-18T20:10:00+02:00",
        (
            ("Noor", "I bought a kayak yesterday! It's red and it cost 340 euros."),
            ("Elias", "A kayak? Where will you put it, in the oven?"),
            ("Noor", "In the courtyard. Its name is Pepper. My sister Salma helped me carry it."),
            ("Elias", "Is Salma the one who paints?"),
            ("Noor", "No, that's my cousin. Salma is a nurse. She works at the Sint Odo hospital."),
            ("Elias", "I'm allergic to walnuts, by the way, so no walnut bread when I visit."),
            ("Noor", "Noted. If I ever leave Utrecht, I'll move to Oslo, I think. Fjords everywhere."),
        ),
    ),
    (
        "k3",
        "2023-04-02T11:30:00+02:00",
        (
            ("Elias", "How was your week?"),
            ("Noor", "Big news. I quit the bakery on Friday, my back couldn't take it anymore."),
            ("Elias", "Oh! What now?"),
            ("Noor", "I'm moving to Malmö on 1 May. I found a job at a boatyard there, Sundvik Boats."),
            ("Elias", "Malmö! I'm going to visit you in July, then."),
            ("Noor", "Please do. And guess what, I went to a choir rehearsal in Utrecht with my neighbour Bram."),
            ("Elias", "You? You hate choirs!"),
        ),
    ),
    (
        "k4",
        "2023-08-20T19:00:00+02:00",
        (
            ("Elias", "I'm sorry that I didn't make it to Malmö in July. My knee, again."),
            ("Noor", "Next year. I moved here on 3 May in the end, because the van broke down."),
            ("Noor", "I work at Sundvik Boats now, I repair engines. And I love choir singing now, can you believe it?"),
            ("Elias", "No! What happened?"),
            ("Noor", "Bram happened. He sings bass, and so does his brother Joris."),
            ("Elias", "Our choir's concert is on 14 October. Will you come?"),
            ("Noor", "I'll try. It takes three hours by train."),
        ),
    ),
    (
        "k5",
        "2023-10-29T17:45:00+01:00",
        (
            ("Elias", "The concert was moved to 21 October, you know, because of the storm. It went well."),
            ("Noor", "I looked for tickets, but the train doesn't take three hours. It takes five hours."),
            ("Elias", "A fox got two of my hens. I have three hens left."),
            ("Noor", "Oh no. Poor Viola."),
            ("Elias", "She cried. And I was wrong about the walnuts. I'm not allergic to walnuts. I'm allergic to hazelnuts."),
            ("Noor", "Good that you found out. I paid 95 euros for the rent of a garage, by the way, for Pepper."),
            ("Elias", "Did you fix the old engine?"),
            ("Noor", "Yes, it runs on firmware 2.4.1 now. It came with 2.3.0 and kept stopping."),
        ),
    ),
    (
        "k6",
        "2024-03-10T15:00:00+01:00",
        (
            ("Noor", "I sold the kayak last week. I bought a rowing boat instead."),
            ("Elias", "Goodbye, Pepper. I finally adopted a dog on 2 March. Her name is Tulip."),
            ("Noor", "Tulip! Who looks after her when you rehearse?"),
            ("Elias", "My neighbour Agnes. She rehearses on Mondays, I rehearse every Thursday."),
            ("Noor", "I left Sundvik Boats on 29 February. I teach sailing at the Ribban school now."),
            ("Elias", "A teacher! My phone number has changed, it's 0611 20 44 now."),
        ),
    ),
)
"""Name of the session, when it starts, and its turns, one a minute."""

ASKED_AT = "2024-03-11T09:00:00+01:00"

QUESTIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Where does Noor live now?", ("Malmö",), ("k4:2", "k3:4")),
    ("Where did Noor live before Malmö?", ("Utrecht",), ("k1:1",)),
    ("Where was Noor living in December 2022?", ("Utrecht",), ("k1:1",)),
    ("When did Noor move to Malmö?", ("3 May 2023",), ("k4:2",)),
    ("Where did Noor work in June 2022?", ("Molenkamp Bread",), ("k1:3",)),
    ("Where does Noor work now?", ("Ribban",), ("k6:5",)),
    ("What is Noor's job at the moment?", ("teach", "teacher", "teaches", "sailing"), ("k6:5", "k6:6")),
    ("Where did Noor work before the Ribban school?", ("Sundvik Boats",), ("k4:3", "k3:4", "k6:5")),
    ("How much did the kayak cost?", ("340",), ("k2:1",)),
    ("What colour was Noor's kayak?", ("red",), ("k2:1",)),
    ("What is the name of Noor's kayak?", ("Pepper",), ("k2:3",)),
    ("When did Noor buy the kayak?", ("17 September 2022",), ("k2:1",)),
    ("How many hens does Elias have now?", ("three", "3"), ("k5:3",)),
    ("How many hens did Elias have in 2022?", ("five", "5"), ("k1:4",)),
    ("What is Elias allergic to?", ("hazelnuts",), ("k5:5",)),
    ("Is Elias allergic to walnuts?", ("No",), ("k5:5",)),
    ("When was the choir's concert?", ("21 October 2023",), ("k5:1",)),
    ("How long does the train to the concert take?", ("five hours",), ("k5:2",)),
    ("Who is Noor's sister?", ("Salma",), ("k2:3", "k2:5")),
    ("What is the job of Noor's sister?", ("nurse",), ("k2:5",)),
    ("What is Elias's daughter called?", ("Viola",), ("k1:4",)),
    ("What is the name of Elias' dog?", ("Tulip",), ("k6:2",)),
    ("When did Elias adopt the dog?", ("2 March 2024",), ("k6:2",)),
    ("Who else sings bass besides Bram?", ("Joris",), ("k4:5",)),
    ("How has Noor's opinion of choirs changed?", ("love", "loves"), ("k4:3",)),
    ("Which boat did Noor have before the rowing boat?", ("kayak",), ("k6:1", "k2:1")),
    ("Which firmware did the engine come with first?", ("2.3.0",), ("k5:8",)),
    ("How often does Elias rehearse?", ("every Thursday",), ("k6:4",)),
    ("What is Elias's phone number now?", ("0611 20 44",), ("k6:6",)),
    ("When did Noor leave Sundvik Boats?", ("29 February 2024",), ("k6:5",)),
    ("where does noor work", ("Ribban",), ("k6:5",)),
    ("When did Elias visit Noor in Malmö?", (), ()),
    ("When did Noor move to Oslo?", (), ()),
    ("What is Agnes allergic to?", (), ()),
    ("How much did the rowing boat cost?", (), ()),
    ("What is the name of Noor's dog?", (), ()),
    ("How old is Viola?", (), ()),
)
"""Question, wordings of a right answer (none: the memory has to say that it does not know), and turns that are right to cite."""


def transcript() -> str:
    """The conversation as JSON Lines."""
    from datetime import datetime, timedelta

    lines = []
    for session, start, turns in SESSIONS:
        for position, (speaker, text) in enumerate(turns):
            said_at = datetime.fromisoformat(start) + timedelta(minutes=position)
            turn = {"session": session, "id": f"{session}:{position + 1}", "speaker": speaker, "said_at": said_at.isoformat(), "text": text}
            lines.append(json.dumps(turn, ensure_ascii=False))
    return "\n".join(lines) + "\n"
